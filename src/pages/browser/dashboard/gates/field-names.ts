/** Names the field of a finding by the label that the form shows, because a path means nothing to an owner. */
import type { Definition } from './definition.ts'
import { listFields } from './match-fields.ts'
import { nameRequired } from './requirement-form.tsx'

/** Labels by path. Those of lists come below. */
const labels: Readonly<Record<string, string>> = {
  definition: 'The gate',
  name: 'Name',
  gateId: 'Id',
  description: 'Description',
  status: 'Once it is published',
  requirements: 'Who gets in',
  rule: 'Who gets in',
  price: 'What it costs',
  'price.amountUsd': 'Price in US dollars',
  'price.methods': 'Ways to pay',
  'price.recipient': 'Paid to',
  'price.rewardAfter': 'When they get it',
  'price.label': 'What the payment is for',
  'price.executionOrder': 'What is asked for first',
  'price.refundThresholdPercent': 'Refund that takes the reward back',
  rewards: 'What they get',
  supply: 'How often in all',
  perWallet: 'How often for one wallet',
  schedule: 'From and until',
  'schedule.startsAt': 'From',
  'schedule.endsAt': 'Until',
  'policy.gateFreshnessHours': 'Proofs count for so many hours',
  'policy.visibility': 'Who sees it',
  listing: 'Public display',
  'listing.label': 'Shown as',
  'listing.tags': 'Tags',
  successReturnUrl: 'Where to go on afterwards',
}

const members: Readonly<Record<string, string>> = {
  verifierId: 'What is to be proved',
  minCount: 'How many different ones',
  maxAgeMs: 'Not older than',
  final: 'Only in blocks that are final',
  recheck: 'Read again at the door',
  optional: 'Not needed',
  value: 'What is handed out',
  valueFrom: 'What is handed out',
  label: 'What it is called',
  message: 'A message with it',
}

/** `Token balance, Contract`: what is asked for, and its field. */
export function nameField(path: string, definition: Definition | undefined): string {
  const [, list, index = '', rest = ''] = /^(requirements|rewards)\[(\d+)\]\.?(.*)$/.exec(path) ?? []
  if (list === undefined) return labels[path] ?? labels[path.split(/[.[]/)[0] ?? ''] ?? path
  const at = Number(index)
  if (list === 'rewards') return join(`Reward ${at + 1}`, members[rest] ?? '')
  const requirement = definition?.requirements[at]
  const title = requirement ? nameRequired(requirement.verifierId).title : `Requirement ${at + 1}`
  const row = requirement?.match?.[Number(/^match\[(\d+)\]/.exec(rest)?.[1] ?? -1)]
  if (!row) return join(title, members[rest] ?? '')
  return join(title, listFields(requirement!.verifierId).find((field) => field.path === row.path)?.label ?? row.path)
}

const join = (one: string, other: string): string => (other === '' ? one : `${one}, ${other}`)
