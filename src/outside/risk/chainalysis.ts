/**
 * Chainalysis: the sanctions screening call. It knows only sanctioned wallets: every identification makes a wallet
 * sanctioned. Without one the wallet is at 0 of 100, which says nothing about its actions.
 */
import { Type } from '@sinclair/typebox'
import type { Endpoint } from '../http/endpoint.ts'
import { makeUnknownChainError, riskChainNames } from './chains.ts'
import { cutDescription, cutTag, issuesMax } from './issue-text.ts'
import { askProvider } from './provider-answer.ts'
import { makeAssessment, type RiskProvider } from './risk.ts'

/** Sanctions lists name wallets of these. For others "no identification" would only mean an unchecked wallet. */
const known = riskChainNames.filter((chain) => !['ton', 'sui', 'stellar'].includes(chain))

const Answer = Type.Object({
  identifications: Type.Array(
    Type.Object({
      category: Type.Optional(Type.String()),
      name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
  ),
})

export const openChainalysis = (endpoint: Endpoint, apiKey: string): RiskProvider => ({
  name: 'chainalysis',
  // An EVM address is the same wallet on every EVM chain.
  coverage: ({ chain, chainId }) =>
    chainId !== undefined || (known as readonly string[]).includes(chain) ? 'whole' : 'none',
  refusal: ({ chain }) => makeUnknownChainError('chainalysis', chain, known),
  async assess({ address }) {
    const { identifications } = await askProvider(
      endpoint,
      `/api/v1/address/${encodeURIComponent(address)}`,
      { 'x-api-key': apiKey },
      Answer,
    )
    return makeAssessment({
      overallRisk: 0,
      sanctioned: identifications.length > 0,
      poisoned: false,
      issues: identifications.slice(0, issuesMax).map(({ category, name, description }) => ({
        tag: cutTag(category ?? 'sanctions'),
        severity: 'critical' as const,
        description: cutDescription(name ?? description ?? ''),
      })),
      checked: ['sanctions'],
      sources: [endpoint.setting],
    })
  },
})
