/** [dns]: the resolvers of a domain's TXT records. */
import { Type } from '@sinclair/typebox'
import { isResolver } from '../../config/address.ts'
import { describeFlag, describeTable, list } from '../../config/setting.ts'
import { defineVerifierTable } from '../verifier-table.ts'

export const dnsTable = defineVerifierTable({
  name: 'dns',
  schema: describeTable({
    resolvers: list(
      Type.String({
        expected: 'system, an address such as 9.9.9.9 or 127.0.0.1:53, or https://… (DNS over HTTPS)',
        accepts: isResolver,
      }),
      {
        description:
          'Resolvers, the preferred one first: system, an address with or without a port, or https://… (DNS over HTTPS). The others take over when it does not answer.',
        consequence: 'Without any, ownership-dns-txt is absent. Whoever runs them decides who controls a domain.',
        expected: 'system, addresses such as 9.9.9.9 or 127.0.0.1:53, or https://… (DNS over HTTPS)',
        default: [],
        example: ['https://dns.quad9.net/dns-query', '9.9.9.9'],
        maxItems: 10,
      },
    ),
    require_dnssec: describeFlag({
      description: 'Whether an answer counts only when the resolver says that it validated it (DNSSEC, the AD flag).',
      consequence: 'true refuses domains that are not signed. It is worth as much as the resolver and the way to it.',
      default: false,
      example: true,
    }),
  }),
})
