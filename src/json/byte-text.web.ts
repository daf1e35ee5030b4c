const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function textOfBytes(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

export function binaryOf(bytes: Uint8Array): string {
  // No more at once than a call may have arguments.
  const parts = Array.from({ length: Math.ceil(bytes.length / 4096) }, (_, part) =>
    String.fromCharCode(...bytes.subarray(part * 4096, (part + 1) * 4096)),
  );
  return parts.join('');
}
