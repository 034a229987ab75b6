/** Colours on a terminal, plain text everywhere else. */
export function palette(isPerson: boolean) {
  const style = (open: number, close: number) => (text: string) =>
    isPerson ? `\u001b[${open}m${text}\u001b[${close}m` : text
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    green: style(32, 39),
    red: style(31, 39),
    yellow: style(33, 39),
    cyan: style(36, 39),
  }
}
