/** Colors on a terminal, plain text everywhere else. */
export function makePalette(isPerson: boolean) {
  const makeStyle = (open: number, close: number) => (text: string) =>
    isPerson ? `\u001b[${open}m${text}\u001b[${close}m` : text
  return {
    bold: makeStyle(1, 22),
    dim: makeStyle(2, 22),
    green: makeStyle(32, 39),
    red: makeStyle(31, 39),
    yellow: makeStyle(33, 39),
    cyan: makeStyle(36, 39),
  }
}
