-- Owner: data-import. Compares two texts about an article word by word and stops at the first that they share, because files have a million of them.
create or replace function has_nothing_in_common(said text, stored text) returns boolean language plpgsql immutable parallel safe as $$
  declare
    -- Words that many articles share, as in article_words.
    shared constant text := ' and for with the per not non each box case pack bag carton size inch length count type model standard item new '
      || 'sterile disposable reusable single use patient large medium small adult pediatric left right latex free '
      || 'white blue black clear green red yellow medical surgical health healthcare company corp corporation inc llc ltd '
      || 'group industries international laboratories labs products systems usa america ';
    stored_words text[] := '{}';
    one text;
    other text;
    short text;
    long text;
    has_words boolean := false;
  begin
    if said is null or stored is null or said = stored then
      return false;
    end if;
    foreach other in array regexp_split_to_array(public.folded_text(stored), '[^[:alnum:]]+') loop
      if other ~ '^[[:alpha:]]{3}' and position(' ' || other || ' ' in shared) = 0 then
        stored_words := stored_words || other;
      end if;
    end loop;
    if stored_words = '{}' then
      return false;
    end if;
    foreach one in array regexp_split_to_array(public.folded_text(said), '[^[:alnum:]]+') loop
      continue when one !~ '^[[:alpha:]]{3}' or position(' ' || one || ' ' in shared) > 0;
      has_words := true;
      foreach other in array stored_words loop
        continue when left(one, 1) <> left(other, 1);
        if length(one) <= length(other) then
          short := one;
          long := other;
        else
          short := other;
          long := one;
        end if;
        if left(long, least(length(short), 4)) = left(short, 4)
          or (short !~ '^.+[aeiou]' and long ~ ('^' || regexp_replace(short, '(.)', '\1.*', 'g'))) then
          return false;
        end if;
      end loop;
    end loop;
    return has_words;
  end $$;
