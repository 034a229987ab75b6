/** /proof/{qHash}/preview.png: the picture that a link to a public proof shows in messages and posts. */

import { qHashPattern } from '../../envelope/q-hash.ts'
import { AppError } from '../../errors.ts'
import { readNeighborhood } from '../../http/client-address.ts'
import { pageHeaders } from '../../http/headers.ts'
import { readAddress } from '../../http/limits.ts'
import { type Route, route } from '../../http/route.ts'
import { computeDigest, makeServed, type Served, serve } from '../../http/served.ts'
import type { Parts } from '../../parts.ts'
import { readProof } from '../../proofs/read.ts'
import type { ProofView } from '../../proofs/view.ts'
import { defaultLanguage, isLanguage, type Language } from '../../web/languages.ts'
import { listPageWords } from '../verifier-words.ts'
import { writeCard } from './card.ts'
import { type Drawer, makeDrawer } from './draw.ts'

const idForm = new RegExp(qHashPattern)

export function previewRoutes(parts: Parts, drawer: Drawer = makeDrawer()): readonly Route[] {
  const cards = keepCards((svg, client) => {
    parts.limiter.take('pictures', client)
    return drawer.draw(svg, readNeighborhood(client))
  })
  return [
    route(
      {
        method: 'GET',
        path: '/proof/:qHash/preview.png',
        callers: ['anyone'],
        rate: 'reads',
        surface: 'pages',
        readers: 'own pages',
        // Unknown addresses beside it are those of pages.
        refusalFormat: 'page',
        otherSites: 'loads',
        operation: 'unlisted',
      },
      async ({ params, query, request, server, set }) => {
        const proof = await findPublic(parts, params.qHash)
        const { language } = query
        const svg = drawCard(parts, proof, isLanguage(language) ? language : defaultLanguage)
        const card = await cards.get(svg, readAddress(parts, { request, server }))
        Object.assign(set.headers, pageHeaders, { 'cross-origin-resource-policy': 'cross-origin' })
        return serve(card, { request, set })
      },
    ),
  ]
}

/** What is drawn changes with the state of the proof, so the address does, too: sites keep pictures by their address. */
export const writePreviewPath = (parts: Parts, proof: ProofView, language: Language): string =>
  `/proof/${proof.qHash}/preview.png?${new URLSearchParams({
    ...(language === defaultLanguage ? {} : { language }),
    v: computeDigest(new TextEncoder().encode(drawCard(parts, proof, language))),
  })}`

const drawCard = ({ catalog, addresses }: Parts, proof: ProofView, language: Language): string =>
  writeCard({
    proof,
    language,
    verifiers: listPageWords(catalog.known, language),
    host: new URL(addresses().baseUrl).host,
  })

/** As a stranger sees it, whoever asks. Errors: NOT_FOUND, the same for a private proof and an unknown one. */
async function findPublic(parts: Parts, qHash: string): Promise<ProofView> {
  const proof = idForm.test(qHash)
    ? await readProof(parts, { qHash, credentials: undefined, latestScope: false, isPage: true }).catch(
        (error: unknown) => {
          if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined
          throw error
        },
      )
    : undefined
  if (proof?.walletAddress === undefined)
    throw new AppError('NOT_FOUND', 'there is no public proof with this id here, so it has no picture')
  return proof
}

/** One takes 40 kB. */
const mostKept = 400

/** The pictures that were asked for last, by what they draw. Several that ask for the same one wait for one drawing. */
function keepCards(draw: (svg: string, client: string) => ReturnType<Drawer['draw']>) {
  const kept = new Map<string, Promise<Served>>()
  return {
    get(svg: string, client: string): Promise<Served> {
      const known = kept.get(svg)
      // Last in the order, so that it is forgotten last.
      if (known) kept.delete(svg)
      const card =
        known ??
        draw(svg, client).then(
          // Not for longer: the owner may hide or revoke the proof.
          (png) => makeServed(png, { contentType: 'image/png', cacheControl: 'public, max-age=300' }),
          (error: unknown) => {
            kept.delete(svg)
            throw error
          },
        )
      kept.set(svg, card)
      const [oldest] = kept.keys()
      if (kept.size > mostKept) kept.delete(oldest!)
      return card
    },
  }
}
