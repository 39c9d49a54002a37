// The company's logo, undistorted in a box and on white in dark mode, or a fallback without a logo.
import { type ReactNode, useState } from 'react';
import { type Logo, logoAddress, logoSize } from '#platform/shared/logo.ts';

type Props = {
  logo: Logo | null;
  /** In CSS pixels. The space is reserved before the picture loads, so that nothing moves. */
  box: { width: number; height: number };
  /** Shown if there is no logo, or if its picture cannot be loaded. */
  instead: ReactNode;
};

/** The picture is decorative, because the company's name is beside it. */
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
