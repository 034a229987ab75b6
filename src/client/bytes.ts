/** Texts and bytes, as every runtime has them: Node 20 knows no Uint8Array.fromHex. */

const encoder = new TextEncoder()

export const encodeUtf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text)

/** `0x` and lower-case digits. */
export const toHex = (bytes: Uint8Array): string =>
  `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`

/** An even number of digits, without 0x. */
export const parseHex = (digits: string): Uint8Array =>
  Uint8Array.from(digits.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
