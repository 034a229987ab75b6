/** Settings that work and are most likely unintended, from the configuration alone. */

import type { Config } from '../config/schema.ts'
import { paymentMethods } from '../payments/index.ts'
import { verifierTables } from '../verifiers/settings.ts'
import { readVerifierTable, type VerifierTable } from '../verifiers/verifier-table.ts'

export interface Advice {
  /** Path of the setting. */
  readonly setting: string
  /** A sentence that begins with the setting. */
  readonly says: string
  /** A configuration line that would be accepted. */
  readonly example?: string
}

const loopback = new Set(['127.0.0.1', '::1', 'localhost'])

export function listAdvice(config: Config): Advice[] {
  return [
    ...adviseReach(config),
    ...adviseMetrics(config),
    ...adviseVerifiers(config),
    ...adviseChains(config),
    ...advisePayments(config),
    ...adviseReaders(config),
  ]
}

function adviseReach({ host, baseUrl, proxy, limits }: Config): Advice[] {
  const advice: Advice[] = []
  if (!loopback.has(host) && baseUrl === undefined)
    advice.push({
      setting: 'base_url',
      says: 'base_url is not set, and others can reach this server: the links in its answers will not work for them',
      example: 'base_url = "https://proofs.example.com"',
    })
  if (baseUrl?.startsWith('https://') && proxy.trusted.length === 0)
    advice.push({
      setting: 'proxy.trusted',
      says: 'proxy.trusted is empty: behind the proxy that ends TLS all clients share one rate limit',
      example: 'trusted = ["127.0.0.1/32"]',
    })
  if (!limits.enabled)
    advice.push({ setting: 'limits.enabled', says: 'limits.enabled is false: anybody may keep the server busy' })
  return advice
}

const adviseMetrics = ({ metrics: { enabled, host, token } }: Config): Advice[] =>
  enabled && !loopback.has(host) && token === undefined
    ? [
        {
          setting: 'metrics.token',
          says: 'metrics.token is not set, and others can reach metrics.host: everybody there reads the load of this server',
          example: 'token = "<a long random text>"',
        },
      ]
    : []

function adviseChains({ publishing, chains }: Config): Advice[] {
  const advice: Advice[] = []
  if (publishing.privateKey !== undefined && Object.values(chains).every(({ eas }) => eas === undefined))
    advice.push({
      setting: 'publishing.private_key',
      says: 'publishing.private_key is set, and no chain has eas: nothing can be published',
    })
  for (const [name, { agree, staleAfterSeconds }] of Object.entries(chains))
    if (agree > 1 && staleAfterSeconds > 300)
      advice.push({
        setting: `chains.${name}.stale_after_seconds`,
        says: `chains.${name}.stale_after_seconds is ${staleAfterSeconds}: of as many endpoints as must agree the oldest decides how new the answer is`,
        example: 'stale_after_seconds = 60',
      })
  for (const [name, { agree, proofs }] of Object.entries(chains))
    if (proofs && agree === 1)
      advice.push({
        setting: `chains.${name}.agree`,
        says: `chains.${name}.agree is 1, and chains.${name}.proofs is true: one endpoint alone says which block is the right one, and proofs are worth as much as that`,
        example: 'agree = 2',
      })
  return advice
}

const adviseVerifiers = (config: Config): Advice[] =>
  verifierTables.flatMap((table: VerifierTable) => table.advise?.(readVerifierTable({ tables: config }, table)) ?? [])

const advisePayments = (config: Config): Advice[] => paymentMethods.flatMap((method) => method.advise?.(config) ?? [])

const adviseReaders = ({ cors }: Config): Advice[] =>
  cors.origins?.length === 0
    ? [{ setting: 'cors.origins', says: 'cors.origins is empty: no page of another origin can use the API' }]
    : []
