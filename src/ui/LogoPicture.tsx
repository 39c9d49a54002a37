// The company's logo in a box it fills without being stretched, on white where the page is dark; something else where there is none.
import { type ReactNode, useState } from 'react';
import { type Logo, logoAddress, logoSize } from '#shared/logo.ts';

type Props = {
  logo: Logo | null;
  /** In pixels of the page. The place is as large before the picture is there, so that nothing moves when it comes. */
  box: { width: number; height: number };
  /** What stands there without a logo, and where its picture cannot be had. */
  instead: ReactNode;
};

/** Beside the company's name, which says the same in words. */
export function LogoPicture({ logo, box, instead }: Props) {
  const [lost, setLost] = useState('');
  if (!logo || lost === logo.id) return instead;
  return (
    <img
      className="logo"
      src={logoAddress(logo)}
      {...logoSize(logo, box)}
      alt=""
      decoding="async"
      onError={() => setLost(logo.id)}
    />
  );
}
