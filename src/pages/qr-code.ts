/** QR codes as one SVG path: pages allow no style and no script within them. */
import { type Html, html } from './html.ts'

/** Loads with the first code. */
const loadEncoder = () => require('uqr') as typeof import('uqr')

export interface QrCode {
  /** Modules on each side, with the margin of four that readers need (ISO/IEC 18004). */
  readonly size: number
  /** The dark modules, one run of a row after another. */
  readonly path: string
}

/** Errors: that of the encoder, for text of more than 2,300 bytes. */
export function makeQrCode(text: string): QrCode {
  const { size, data } = loadEncoder().encode(text, { ecc: 'M', border: 4 })
  const runs = data.flatMap((row, y) => {
    const found: string[] = []
    for (let x = 0; x < size; x++) {
      const from = x
      while (row[x]) x++
      if (x > from) found.push(`M${from} ${y}h${x - from}v1h${from - x}z`)
    }
    return found
  })
  return { size, path: runs.join('') }
}

export function renderQrCode(text: string, label: string): Html {
  const { size, path } = makeQrCode(text)
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path d="${path}"/></svg>`
}
