/** [outside]: the rules for this server's own calls. The tables of the chains and providers hold their addresses. */
import { Type } from '@sinclair/typebox'
import { isAddressRange } from '../address.ts'
import { describeTable, describeWhole, list } from '../setting.ts'

export const outside = describeTable({
  timeout_seconds: describeWhole({
    description: 'How long one call to a chain, a resolver or a provider may take.',
    consequence: 'Longer keeps callers waiting when a source hangs. Shorter refuses slow sources.',
    unit: 'seconds',
    default: 5,
    example: 5,
    minimum: 1,
    maximum: 60,
  }),
  attempts: describeWhole({
    description: 'How often a call that got no answer is made, the first time included.',
    consequence: 'More hides short outages and makes long ones slower to be noticed.',
    unit: 'calls',
    default: 2,
    example: 3,
    minimum: 1,
    maximum: 5,
  }),
  private_networks: list(Type.String({ expected: 'an address or CIDR range', accepts: isAddressRange }), {
    description:
      'Private addresses that the names of configured sources may resolve to, as CIDR ranges. An address that is written in a setting itself (http://127.0.0.1:8545) needs no entry.',
    consequence: 'A name that resolves to a private address outside them is not called.',
    expected: 'IPv4 or IPv6 addresses or CIDR ranges',
    default: [],
    example: ['10.1.0.0/16'],
    maxItems: 100,
  }),
})
