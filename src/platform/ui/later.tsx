// Parts of a screen that load when they are needed, or soon after the screen is there. If one cannot load, a message says so and the screen stays.
import { Loader, Text } from '@mantine/core';
import {
  cloneElement,
  type ComponentType,
  type ReactElement,
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { setGlobalError } from './global-error.web.ts';
import { soon } from './after-first-screen.web.ts';

type Load<P> = () => Promise<{ default: ComponentType<P> }>;
type Part<P> = { now: () => ComponentType<P> | null; get: () => Promise<void> };

function partOf<P>(load: Load<P>): Part<P> {
  let part: ComponentType<P> | null = null;
  return {
    now: () => part,
    get: async () => {
      part = (await load()).default;
    },
  };
}

/** The part once it is there. Begins to load it when it is wanted. */
function usePart<P>(part: Part<P>, wanted: boolean, onFailed: () => void): ComponentType<P> | null {
  const [, setThere] = useState(false);
  const fail = useEffectEvent(onFailed);
  useEffect(() => {
    if (!wanted || part.now()) return;
    part.get().then(
      () => setThere(true),
      () => fail(),
    );
  }, [part, wanted]);
  return part.now();
}

type Instead = {
  loading?: ReactNode;
  /** Empty for a part that may be missing. */
  failed: string;
  /** Loads when the first screen is there, not with it. */
  soon?: boolean;
};

/** A part that is shown in place. */
export function later<P extends object>(load: Load<P>, instead: Instead): ComponentType<P> {
  const part = partOf(load);
  return function Later(props: P) {
    const [wanted, setWanted] = useState(!instead.soon);
    const [failed, setFailed] = useState(false);
    const Part = usePart(part, wanted, () => setFailed(true));
    useEffect(() => {
      if (instead.soon) soon(() => setWanted(true));
    }, []);
    if (Part) return <Part {...props} />;
    if (failed) {
      return instead.failed === '' ? null : (
        <Text size="sm" role="alert">
          {instead.failed}
        </Text>
      );
    }
    return instead.loading ?? <Loading />;
  };
}

const Loading = () => <Loader size="sm" role="img" aria-label="Loading" />;

/** Shown over the page while something that opens over it loads. */
const Opening = () => (
  <div className="opening">
    <Loading />
  </div>
);

/** Whether it has been drawn, the first time closed: when a dialog opens, it notes where the focus returns to. */
function useDrawn(isThere: boolean, onDrawn?: () => void): boolean {
  const [isDrawn, setIsDrawn] = useState(false);
  const callOnDrawn = useEffectEvent(() => onDrawn?.());
  useLayoutEffect(() => {
    if (!isThere) return;
    callOnDrawn();
    setIsDrawn(true);
  }, [isThere]);
  return isDrawn;
}

type Over = { opened: boolean; onClose: () => void };

/** A dialog or drawer. It loads soon, or when it opens. `Waiting` is shown in its place while it is open but not loaded. */
export function laterOver<P extends Over>(load: Load<P>, failed: string, Waiting: ComponentType<P> = Opening) {
  const part = partOf(load);
  soon(() => void part.get().catch(() => {}));
  return function LaterOver(props: P) {
    const { opened, onClose } = props;
    const Part = usePart(part, opened, () => {
      onClose();
      setGlobalError(failed);
    });
    const isDrawn = useDrawn(Part !== null);
    if (!Part) return opened ? <Waiting {...props} /> : null;
    return <Part {...props} opened={opened && isDrawn} />;
  };
}

type MenuButton = ReactElement<{ ref?: Ref<HTMLButtonElement>; onClick?: () => void }>;
/** What opens below a button, and draws the button, too. */
export type OfButton = { button: MenuButton; opened: boolean; onChange: (opened: boolean) => void };

/** A button with a menu or the like, which loads soon if `isSoon`, else with the first press. */
export function laterMenu<P extends object>(load: Load<P & OfButton>, failed: string, isSoon = true) {
  const part = partOf(load);
  if (isSoon) soon(() => void part.get().catch(() => {}));
  return function LaterMenu(props: P & Pick<OfButton, 'button'>) {
    /** Null before the first press: a button that is drawn again under a finger would lose the press. */
    const [opened, setOpened] = useState<boolean | null>(null);
    const place = useRef<HTMLButtonElement>(null);
    const Part = usePart(part, opened !== null, () => {
      setOpened(null);
      setGlobalError(failed);
    });
    const isDrawn = useDrawn(opened !== null && Part !== null, () => place.current?.focus({ preventScroll: true }));
    if (opened !== null && Part) {
      const button = cloneElement(props.button, { ref: place });
      return <Part {...props} button={button} opened={opened && isDrawn} onChange={setOpened} />;
    }
    return (
      <>
        {cloneElement(props.button, { ref: place, onClick: () => setOpened(true) })}
        {opened ? <Opening /> : null}
      </>
    );
  };
}
