/** [cors]: the pages that may call the API from a browser. */
import { Type } from '@sinclair/typebox'
import { isOrigin } from '../address.ts'
import { describeTable, list } from '../setting.ts'

export const cors = describeTable({
  origins: Type.Optional(
    list(Type.String({ accepts: (origin: string) => origin === '*' || isOrigin(origin) }), {
      description: 'Web origins whose pages may call the API from a browser. "*" is every origin; [] is none.',
      consequence: 'Other pages cannot read answers. A server on loopback refuses their requests as well.',
      whenEmpty: 'every origin; where host is a loopback address, only those of loopback and our own',
      expected: '"*" alone, or origins such as https://app.example.com (no path, no trailing slash)',
      example: ['https://app.example.com'],
      accepts: (origins) => origins.length === 1 || !origins.includes('*'),
      maxItems: 100,
    }),
  ),
})
