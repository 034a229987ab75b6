/** [proxy]: the proxies that are trusted about a client's address. */
import { Type } from '@sinclair/typebox'
import { isAddressRange } from '../address.ts'
import { describeTable, list } from '../setting.ts'

export const proxy = describeTable({
  trusted: list(Type.String({ expected: 'an address or CIDR range', accepts: isAddressRange }), {
    description: 'Addresses of reverse proxies whose X-Forwarded-For is believed, as CIDR ranges.',
    consequence: 'Behind a proxy that is not listed, all clients share one rate limit. A range too wide lets them lie.',
    expected: 'IPv4 or IPv6 addresses or CIDR ranges',
    default: [],
    example: ['127.0.0.1/32', '10.0.0.0/8'],
    maxItems: 100,
  }),
})
