// Formats keys for the screen. The frame does not load this file; parts that show keys do.

/** Returns a key as keyboards show it: 'Ctrl+Shift+Z', 'Alt+↑', 'g n'. */
export function writtenKey(key: string): string {
  const words: Record<string, string> = {
    mod: navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl',
    shift: 'Shift',
    alt: 'Alt',
    ArrowUp: '↑',
    ArrowDown: '↓',
  };
  return key
    .split(/(?<=.)\+/)
    .map((part, index) => words[part] ?? (index > 0 && part.length === 1 ? part.toUpperCase() : part))
    .join('+');
}
