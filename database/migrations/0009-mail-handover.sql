-- Owner: mail. A mail whose last byte is about to be sent is HandingOver; whose server died just then, is Uncertain (docs/decisions/0084).
alter table mail drop constraint mail_state_check;
alter table mail add constraint mail_state_check check (state in ('Waiting', 'HandingOver', 'Sent', 'Uncertain', 'Failed'));
