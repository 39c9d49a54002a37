-- Owner: savings. Says to every server that some analysis changed, when its transaction commits; which one, only those may know who see it.
-- Locks: savings_analysis

create trigger say_new after insert on savings_analysis for each statement execute function say('savings 0 0');
create trigger say_changed after update on savings_analysis for each row when (old.version <> new.version or old.state <> new.state)
  execute function say('savings 0 0');
