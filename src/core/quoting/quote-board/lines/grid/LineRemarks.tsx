// The remarks after the description in a row: its problem, who changed it, its promotions, and the sources of the price and the item.
import { Button, Tooltip } from '@mantine/core';
import classes from '../lines.module.css';
import { FoundText } from '../find/FoundText.tsx';
import { isPriced, lineTrouble, markWords, mayEditPrice, notesOf } from '../line-words.ts';
import type { RowProps } from './row-props.web.ts';

/** One line of text, the most important remark first. Text that does not fit ends in an ellipsis. The price proof and the tooltips show all of it. */
export function LineRemarks(props: RowProps) {
  const { item, row, currnIdx, internal, editable, pending, mark, actions, word } = props;
  const trouble = pending?.error ? '' : lineTrouble(item, currnIdx);
  const notes = notesOf(item, currnIdx, props.isReasonAbove);
  return (
    <>
      {trouble ? (
        <span className={`${classes['trouble']} ellipsis`} title={trouble}>
          {trouble}
        </span>
      ) : null}
      {item.priceProblem && mayEditPrice(item) && editable && internal ? (
        <Button size="compact-xs" variant="subtle" flex="none" onClick={() => actions.move(row, 'price', 1)}>
          Enter a price
        </Button>
      ) : null}
      {mark ? (
        <span className={`${classes['mark']} ellipsis`} title={markWords(mark)}>
          {markWords(mark)}
        </span>
      ) : null}
      {isPriced(item) ? <Promotions {...props} /> : null}
      {notes.length > 0 ? (
        <span className={`${classes['note']} ellipsis`} title={notes.join('\n')}>
          <FoundText text={notes.join(' · ')} word={word} />
        </span>
      ) : null}
    </>
  );
}

/** A short mark for each promotion. It opens the message and, for internal users, the button. */
function Promotions({ item, promotable, actions }: RowProps) {
  return item.promotions.map((promotion) => (
    <Tooltip key={promotion.id} label={promotion.message} multiline w={320}>
      <Button
        size="compact-xs"
        variant={promotion.applied ? 'light' : 'subtle'}
        color="orange"
        flex="none"
        aria-label={`${promotion.message}${promotable ? (promotion.applied ? ' Remove it' : ' Apply it') : ''}`}
        onClick={promotable ? () => actions.promote(item, promotion.applied ? null : promotion.id) : undefined}
      >
        {promotion.applied ? 'Promotion applied' : promotable ? 'Apply promotion' : 'Promotion'}
      </Button>
    </Tooltip>
  ));
}
