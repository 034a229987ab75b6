/** Text to look at. A browser takes a minute to lay out a line of a megabyte in which scripts of both directions mix. */

const longest = 4000
const tooLong = new RegExp(`^(.{${longest}})(.+)$`, 'gmu')

/** Lines beyond what anybody reads are cut, and say so. */
export const breakLines = (text: string): string =>
  text.replace(
    tooLong,
    (_, shown: string, rest: string) =>
      `${shown}… and ${rest.length.toLocaleString('en')} more characters, which Copy takes`,
  )
