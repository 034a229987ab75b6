/**
 * Gates that the dashboard offers to start from. Each can be published after its empty fields are filled in. Their names
 * are words of the pages.
 */

export const gateTemplates = [
  {
    id: 'everyone',
    definition: {
      gateId: 'welcome',
      requirements: [{ id: 'r1', verifierId: 'ownership-pseudonym' }],
      policy: { visibility: 'unlisted' },
      rewards: [{ kind: 'access_granted' }],
    },
  },
  {
    id: 'guide',
    definition: {
      gateId: 'guide',
      requirements: [{ id: 'r1', verifierId: 'ownership-pseudonym' }],
      price: { amountUsd: '5', methods: [] },
      rewards: [{ kind: 'reveal', value: '' }],
    },
  },
  {
    id: 'holders',
    definition: {
      gateId: 'holders',
      requirements: [
        {
          id: 'r1',
          verifierId: 'token-holding',
          match: [
            { path: 'input.contractAddress', op: 'eq', value: '' },
            { path: 'input.minBalance', op: 'gte', value: '1' },
          ],
          maxAgeMs: 86_400_000,
        },
      ],
      perWallet: 1,
      rewards: [{ kind: 'redirect', value: 'https://' }],
    },
  },
  {
    id: 'guests',
    definition: {
      gateId: 'guests',
      requirements: [{ id: 'r1', verifierId: 'guest-list' }],
      policy: { visibility: 'unlisted' },
      perWallet: 1,
      rewards: [{ kind: 'access_granted' }],
    },
  },
  {
    id: 'agents',
    definition: {
      gateId: 'agents',
      requirements: [
        { id: 'identity', verifierId: 'agent-identity' },
        { id: 'delegation', verifierId: 'agent-delegation' },
      ],
      rule: { any: ['identity', 'delegation'] },
      rewards: [{ kind: 'reveal', value: '' }],
    },
  },
] as const
