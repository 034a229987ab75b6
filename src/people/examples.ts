/** Examples of a person: the wallets, and leaving. No test sends those of linked wallets, but each fits its schema. */
import { type ExampleSource, story } from '../http/example.ts'

const { address, chainId, did, time, wallet } = story
const second = '0x1efecb61a2f80aa34d3b9218b564a64d05946290'
const link = `0x${'11a4ed'.padEnd(64, '0')}`
const label = { account: second, label: 'Savings', createdAt: time }
const nothing = { delegations: 0, agents: 0, accessGrants: 0 }

/** By operationId. */
export const peopleExamples = {
  signOutEverywhere: { response: { success: true, data: { authenticated: false } } },
  deleteProfile: { response: { success: true, data: { deleted: true, traces: { pending: false } } } },
  resolveDid: {
    request: { walletAddress: wallet },
    response: { success: true, data: { did, walletAddress: address, chainId } },
  },
  listWallets: {
    response: {
      success: true,
      data: {
        primary: { account: address, address, contractOn: null },
        linked: [
          {
            account: second,
            address: second,
            contractOn: null,
            relationship: 'personal',
            label: 'Phone',
            linkedAt: time,
            qHash: link,
            signsIn: true,
            openSessions: 1,
            apps: 0,
            endsWith: nothing,
          },
        ],
        linkedBy: [],
      },
    },
  },
  listLabels: { response: { success: true, data: { labels: [label] } } },
  setLabel: { request: { account: second, label: label.label }, response: { success: true, data: label } },
  removeLabel: {
    params: { account: second },
    response: { success: true, data: { account: second, wasLabeled: true } },
  },
  listNames: {
    query: { addresses: address },
    response: { success: true, data: { names: [{ address, name: 'alice.eth' }] } },
  },
  unlinkWallet: {
    params: { account: second },
    response: {
      success: true,
      data: { account: second, linked: false, revoked: [link], endedSessions: 1, endedApps: 0 },
    },
  },
} as const satisfies Readonly<Record<string, ExampleSource>>
