/** The author of the examples gives a gate a name, a color and no picture. */
import { type ExampleSource, makeExampleAnswer, story } from '../../http/example.ts'
import { exampleSigned } from '../examples.ts'
import { tuneColor } from './color.ts'

const { gateId } = story
const color = '#b45309'
/** As the pages show the color: it is darker where text on white would be hard to read. */
const shown = {
  gateId,
  seller: 'Example Studio',
  color,
  shownColors: { light: tuneColor(color, 'light').accent, dark: tuneColor(color, 'dark').accent },
  picture: null,
}

/** By operationId. */
export const appearanceExamples = {
  getGateAppearance: { params: { gateId }, response: makeExampleAnswer(shown) },
  setGateAppearance: {
    params: { gateId },
    request: { seller: 'Example Studio', color, ...exampleSigned },
    response: makeExampleAnswer(shown),
  },
} as const satisfies Readonly<Record<string, ExampleSource>>
