// Parts of a screen that load when they are needed, or soon after the screen. If one cannot be loaded, a message is shown and the screen stays.
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

/** Returns the part once it is loaded. Starts loading it when `wanted` is true. */
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
  /** The message if it cannot be loaded; empty for an optional part. */
  failed: string;
  /** Loads after the first screen, not with it. */
  soon?: boolean;
};

/** Wraps a part that is shown in place. */
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

/** Shown over the page while a dialog or drawer loads. */
const Opening = () => (
  <div className="opening">
    <Loading />
  </div>
);

/** Returns whether the part has rendered once while closed. A dialog stores where to return the focus when it changes from closed to open. */
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

/** Wraps a dialog or drawer. It loads soon, or when it opens. `Waiting` is shown in its place while it is open but not loaded. */
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
/** The props of a part that opens below a button and also renders the button. */
export type OfButton = { button: MenuButton; opened: boolean; onChange: (opened: boolean) => void };

/** Wraps a button with a menu or the like. It loads soon if `isSoon`, otherwise at the first press. */
export function laterMenu<P extends object>(load: Load<P & OfButton>, failed: string, isSoon = true) {
  const part = partOf(load);
  if (isSoon) soon(() => void part.get().catch(() => {}));
  return function LaterMenu(props: P & Pick<OfButton, 'button'>) {
    /** Null before the first press. A button that is replaced during a press would lose the press. */
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
