-- Owner: reports. Every currency index but that of the euro is the US dollar. Quotes with other indexes were in no report; their facts are made anew.
-- Locks: report_quote
update report_quote set summed_events = null where currn_idx not in (1007, 1009);
