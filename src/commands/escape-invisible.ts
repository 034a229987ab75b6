/** Makes foreign text safe to print: a file or a server must not move the cursor or set colors. */
export const escapeInvisible = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (found) => `\\u{${found.codePointAt(0)?.toString(16)}}`)

/** The beginning of a long text. */
export const shorten = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1)}…`

/** To the minute, in UTC. */
export const writeMinute = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}Z`
