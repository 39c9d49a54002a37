-- Owner: data-import. Whether two texts about an article share no word, so that they may be about two articles.

-- The words that say what an article is: neither numbers and sizes, nor words that many articles share.
create function article_words(given text) returns text[] language sql immutable parallel safe
  return (select coalesce(array_agg(distinct word), '{}')
    from regexp_split_to_table(folded_text(given), '[^[:alnum:]]+') word
    where word ~ '^[[:alpha:]]{3}'
      and word <> all ('{and,for,with,the,per,not,non,each,box,case,pack,bag,carton,size,inch,length,count,type,model,standard,item,new,
        sterile,disposable,reusable,single,use,patient,large,medium,small,adult,pediatric,left,right,latex,free,
        white,blue,black,clear,green,red,yellow,medical,surgical,health,healthcare,company,corp,corporation,inc,llc,ltd,
        group,industries,international,laboratories,labs,products,systems,usa,america}'::text[]));

-- Whether both texts have such words and share none, not even shortened: 'GLV' and 'glove', 'nitr' and 'nitrile' are one.
create function has_nothing_in_common(said text, stored text) returns boolean language sql immutable parallel safe
  return case when said is null or stored is null or folded_text(said) = folded_text(stored) then false
    else cardinality(article_words(said)) > 0 and cardinality(article_words(stored)) > 0
      and not exists (
        select from unnest(article_words(said)) one, unnest(article_words(stored)) other,
          lateral (select case when length(one) <= length(other) then one else other end as short,
            case when length(one) <= length(other) then other else one end as long) pair
        where left(pair.long, least(length(pair.short), 4)) = left(pair.short, 4)
          or (pair.short !~ '^.+[aeiou]' and pair.long ~ ('^' || regexp_replace(pair.short, '(.)', '\1.*', 'g'))))
    end;
