/** The preview of a proof as an SVG: the words of the page's top, and nothing that the owner typed as a title. */
import type { ProofView } from '../../proofs/view.ts'
import type { Language } from '../../web/languages.ts'
import { type Html, html } from '../html.ts'
import { writeMoment } from '../moment.ts'
import { describeCheck, marks, readState, type State, writeStatement } from '../proof-hero.ts'
import type { WordsById } from '../verifier-words.ts'
import { words as wordsByLanguage } from '../words/words.ts'
import { fitText, isDrawable } from './text-fit.ts'

export const cardSize = { width: 1200, height: 630 } as const

/** As on the pages in their light theme (browser/pages.css). */
const colors: Readonly<Record<State['look'], string>> = {
  good: '#0f6b5c',
  warning: '#9a6200',
  bad: '#b3261e',
  quiet: '#55625e',
}
const ink = '#17211f'
const faint = '#55625e'

interface Drawn {
  readonly proof: ProofView
  readonly language: Language
  readonly verifiers: WordsById
  readonly host: string
}

export function writeCard({ proof, language, verifiers, host }: Drawn): string {
  const words = wordsByLanguage[language].proofPage
  const { look, label } = readState(proof, words, language)
  const statement = fitText(writeStatement(proof, words, verifiers, isDrawable), {
    width: 840,
    sizes: [64, 56, 48, 40],
    mostLines: 4,
  })
  const checked = describeCheck(proof, words, host, writeMoment(proof.createdAt, language)).join('')
  const { width, height } = cardSize
  const below = proof.signed === false ? words.unsigned : checked
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Inter">
<rect width="${width}" height="${height}" fill="#fff"/>
<rect width="${width}" height="14" fill="${colors[look]}"/>
<g transform="translate(80 70) scale(1.75)"><rect width="32" height="32" rx="7" fill="#0f6b5c"/><path d="M8 25V13a8 8 0 0 1 16 0v12" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/><path d="m12 18 3 3 6-7" fill="none" stroke="#9ff0d8" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></g>
<text x="156" y="110" font-weight="700" font-size="34" fill="${ink}">Proofgate</text>
<g transform="translate(80 ${middle - 72}) scale(3)" fill="none" stroke="${colors[look]}" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"><circle cx="24" cy="24" r="22"/><path d="${marks[look]}"/></g>
${renderLines(statement)}
<text x="80" y="522" font-weight="700" font-size="40" fill="${colors[look]}">${label}</text>
${renderNote(below)}
</svg>`.text
}

/** The middle of the seal and of the statement beside it. */
const middle = 305

function renderLines({ size, lines }: ReturnType<typeof fitText>): Html[] {
  const step = size * 1.22
  const first = middle - (step * (lines.length - 1)) / 2 + size * 0.36
  return lines.map(
    (line, index) =>
      html`<text x="270" y="${Math.round(first + index * step)}" font-weight="700" font-size="${size}" fill="${ink}">${line}</text>`,
  )
}

/** The regular font is narrower than the bold one, whose widths are known. */
function renderNote(text: string): Html {
  const { size, lines } = fitText(text, { width: 1_040, sizes: [30, 26, 22], mostLines: 1 })
  return html`<text x="80" y="574" font-size="${size}" fill="${faint}">${lines[0]}</text>`
}
