-- Owner: mail. Mails with a secret are marked, so that no call shows their subject or text in any state.
-- Locks: mail

-- What the mailbox shows instead of the subject of a mail with a secret; empty: the mail has none.
alter table mail add column secret text not null default '';
update mail set secret = case when subject like 'Your account for %' then 'Invitation' else 'Password mail' end
  where quote_id is null and (subject like 'Your temporary password for %' or subject like 'Your account for %');
