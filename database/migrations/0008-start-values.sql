-- Owner: company, approvals. What an empty company starts with: itself, its terms, and the approval rules of design 4.
insert into company (id, name) values (1, 'My company');
insert into terms_text (body) values (
'Prices are valid until the date shown and for the quantities and units shown. Payment and freight terms are as stated above. Taxes not shown are the responsibility of the buyer. Contract prices apply to eligible members only. Products are sold under the manufacturer''s warranty. Discounts shown may have to be reported by the buyer under applicable law.');

insert into approval_rule (position, name, metric, operator, threshold, filters, role) values
  (10, 'Discount above the representative''s limit', 'discountPct', '>', 5, '{"requesterRoles": ["csrep", "insiderep"]}', 'salesQuoteManager'),
  (20, 'Discount above the quote manager''s limit', 'discountPct', '>', 15, '{}', 'salesadmin'),
  (30, 'Quote total above 100,000', 'quoteTotal', '>', 100000, '{}', 'salesadmin'),
  (40, 'Unit price under the floor', 'underFloor', '>', 0, '{}', 'contractdept'),
  (50, 'Price below the contract price', 'belowContract', '>', 0, '{}', 'contractdept');
