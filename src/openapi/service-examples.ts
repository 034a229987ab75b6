/** Examples of what the server says of itself. */
import { apiVersion, version } from '../version.ts'
import type { Example } from './examples.ts'
import { metadataExamplesAt } from './metadata-examples.ts'

interface Told {
  readonly baseUrl: string
  readonly time: number
}

export function serviceExamplesAt({ baseUrl, time }: Told): Readonly<Record<string, Example>> {
  const timestamp = new Date(time).toISOString()
  const times = { timestamp, uptime: 86_400 }
  const openapi: Example = {
    response: {
      openapi: '3.1.2',
      info: { title: 'Proofgate', version: apiVersion },
      servers: [{ url: baseUrl, description: 'This server.' }],
      tags: [],
      paths: {},
      components: {},
    },
  }
  const told = {
    lastCommit: { result: 'stored', ageMs: 412 },
    waitingMs: 0,
    heartbeat: { ageMs: 8_412 },
    conditions: [],
  }
  return {
    ...metadataExamplesAt(baseUrl),
    getHealth: {
      response: {
        success: true,
        data: { status: 'ok', version, ...times, services: { database: 'ok', storage: 'ok' }, issues: [], ...told },
      },
    },
    getReadiness: {
      response: {
        success: true,
        ready: true,
        message: 'ready',
        details: { database: 'ok', storage: 'ok', ...told },
        ...times,
      },
    },
    getDetailedHealth: {
      response: {
        success: true,
        data: {
          status: 'ok',
          version,
          startedAt: time - 86_400_000,
          uptimeSeconds: 86_400,
          database: { bytes: 4_804_608, logBytes: 1_240_152, checkedAt: time - 3_600_000 },
          disk: { freeBytes: 48_318_382_080, totalBytes: 63_278_391_296 },
          ...told,
          memory: { residentBytes: 161_480_704, heapBytes: 24_117_248 },
          counts: { accounts: 412, proofs: 1_903 },
          erasing: { erasures: 0, proofs: 0, since: null },
          sweep: { overdueSince: null },
          advice: [],
          examination: null,
        },
      },
    },
    getLiveness: { response: { success: true, alive: true, version, ...times } },
    listVerifiers: {
      response: {
        success: true,
        data: ['ownership-pseudonym'],
        metadata: {
          'ownership-pseudonym': {
            category: 'ownership',
            description: 'A wallet claims a handle within a namespace.',
            accessLevel: 'public',
            flowType: 'instant',
            expiryType: 'permanent',
            allowsDelegatedSubject: false,
            compatibleWith: [],
            conflictsWith: [],
            supportsDirectApi: true,
            supportsHostedVerify: true,
            dataSchema: {
              type: 'object',
              required: ['handle'],
              properties: { handle: { type: 'string' } },
            },
            requiredFields: ['handle'],
            optionalFields: [],
          },
        },
        meta: {
          hubChainId: 84532,
          totalCount: 1,
          accessLevel: 'public',
          supportedProtocolChainIds: [84532],
          supportedAssetChainIds: [],
        },
      },
    },
    listHumanProviders: { response: { success: true, data: [] } },
    getPricing: {
      response: {
        success: true,
        data: {
          billing: 'off',
          currency: 'USD',
          creditPriceUsd: 0,
          plans: [],
          verifierWeights: { 'ownership-basic': 0 },
          operations: { gateCheck: 0, proofWrite: 0, accessGrant: 0 },
          addOns: { ipfs: 0, extraChain: 0 },
        },
        timestamp,
      },
    },
    getOpenApi: openapi,
    getOpenApiVersioned: openapi,
  }
}
