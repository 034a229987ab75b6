/**
 * The thread that draws an SVG as PNG. Drawing takes a processor for a tenth of a second, which the event loop does not
 * have.
 */
import regular from '@fontsource/inter/files/inter-latin-400-normal.woff2' with { type: 'file' }
import bold from '@fontsource/inter/files/inter-latin-700-normal.woff2' with { type: 'file' }
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import wasm from '@resvg/resvg-wasm/index_bg.wasm' with { type: 'file' }
import type { DrawAnswer, DrawQuestion } from './draw.ts'

declare const self: Worker

let loading: Promise<readonly Uint8Array[]> | undefined

/** The fonts, when the program that draws is ready, too. */
async function load(): Promise<readonly Uint8Array[]> {
  const [program, ...fonts] = await Promise.all([wasm, regular, bold].map((path) => Bun.file(path).bytes()))
  await initWasm(program!)
  return fonts
}

self.onmessage = async ({ data: { svg } }: MessageEvent<DrawQuestion>) => {
  try {
    loading ??= load()
    const drawing = new Resvg(svg, {
      font: { fontBuffers: [...(await loading)], loadSystemFonts: false, defaultFontFamily: 'Inter' },
    })
    const image = drawing.render()
    const png = new Uint8Array(image.asPng())
    image.free()
    drawing.free()
    self.postMessage({ png } satisfies DrawAnswer, [png.buffer])
  } catch (error) {
    self.postMessage({ fault: error instanceof Error ? error.message : String(error) } satisfies DrawAnswer)
  }
}
