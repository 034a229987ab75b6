/** [gates]: Access rules and their rewards. */
import { describeFlag, describeTable, describeWhole } from '../setting.ts'

export const gates = describeTable({
  accept_bare_wallet: describeFlag({
    description: 'Whether fulfill believes a walletAddress without a signature, as some older servers send it.',
    consequence: 'true lets everybody who knows a public proof and its wallet collect the reward.',
    default: false,
    example: false,
  }),
  per_owner: describeWhole({
    description: 'How many gates one wallet may own, deleted ones included.',
    consequence: 'Higher lets one wallet fill the disk faster.',
    unit: 'gates',
    default: 100,
    example: 100,
    minimum: 1,
    maximum: 100_000,
  }),
  versions_kb: describeWhole({
    description:
      'How much the versions of one gate may take. The oldest go first; those that were fulfilled are kept, and so are the two newest.',
    consequence: 'Higher lets one wallet fill the disk faster; lower leaves fewer versions to go back to.',
    unit: 'kB of 1024 bytes',
    default: 4096,
    example: 4096,
    minimum: 1024,
    maximum: 1_048_576,
  }),
})
