/** Metrics of the catalog: which verifiers and providers this server offers. */
import type { Family } from '../metric-family.ts'
import type { Parts } from '../parts.ts'
import { listProviders } from './catalog.ts'

export const catalogFamilies: readonly Family<Parts>[] = [
  {
    name: 'proofgate_verifier_offered',
    type: 'gauge',
    help: '1 for a verifier that is offered, 0 for one that is switched off or lacks a setting.',
    read: ({ catalog }) =>
      [...catalog.known.keys()].map((verifier) => ({
        labels: { verifier },
        value: catalog.enabled.has(verifier) ? 1 : 0,
      })),
  },
  {
    name: 'proofgate_provider_ready',
    type: 'gauge',
    help: '0 while all sources of a configured provider are skipped. Providers that lack a setting are left out.',
    read: (parts) =>
      listProviders(parts)
        .filter(({ lacks }) => lacks === null)
        .map(({ kind, name, sources }) => ({ labels: { kind, name }, value: isSkipped(sources) ? 0 : 1 })),
  },
]

const isSkipped = (sources: ReturnType<typeof listProviders>[number]['sources']): boolean =>
  sources.length > 0 && sources.every(({ circuit, pausedUntil }) => circuit === 'open' || pausedUntil !== null)
