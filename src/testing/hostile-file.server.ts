// A hostile file. The bytes of a large one are made when somebody asks for them, because all large ones together take long and much memory.

export type HostileFile = { what: string; name: string; isLarge: boolean; bytesOf: () => Buffer };

/** Bytes, or a function that makes many of them. */
export type Bytes = Buffer | (() => Buffer);

export function aHostileFile(what: string, name: string, bytes: Bytes): HostileFile {
  const bytesOf = typeof bytes === 'function' ? bytes : () => bytes;
  return { what, name, isLarge: bytesOf === bytes, bytesOf };
}
