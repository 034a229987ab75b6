/** Gates that the dashboard offers to start from. Each can be published after its empty fields are filled in. */

export const gateTemplates = [
  {
    name: 'Paid guide',
    lead: 'Anybody who has taken a pseudonym here pays once, and reads a text.',
    definition: {
      gateId: 'guide',
      name: 'The guide',
      requirements: [{ id: 'r1', verifierId: 'ownership-pseudonym' }],
      price: { amountUsd: '5', methods: [] },
      rewards: [{ kind: 'reveal', label: 'The guide', value: '' }],
    },
  },
  {
    name: 'Token holders',
    lead: 'Whoever holds enough of a token, by a proof that is not old, gets a link.',
    definition: {
      gateId: 'holders',
      name: 'For holders',
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
      rewards: [{ kind: 'redirect', label: 'Come in', value: 'https://' }],
    },
  },
  {
    name: 'Free, for a list of wallets',
    lead: 'The wallets that you name get in, each once, for nothing.',
    definition: {
      gateId: 'guests',
      name: 'The guest list',
      requirements: [{ id: 'r1', verifierId: 'guest-list' }],
      policy: { visibility: 'unlisted' },
      perWallet: 1,
      rewards: [{ kind: 'access_granted', label: 'You are on the list' }],
    },
  },
  {
    name: 'Agents with an owner',
    lead: 'An agent that says who it is, or one that a wallet lets act for it, gets a text.',
    definition: {
      gateId: 'agents',
      name: 'For agents',
      requirements: [
        { id: 'identity', verifierId: 'agent-identity' },
        { id: 'delegation', verifierId: 'agent-delegation' },
      ],
      rule: { any: ['identity', 'delegation'] },
      rewards: [{ kind: 'reveal', label: 'Instructions', value: '' }],
    },
  },
] as const
