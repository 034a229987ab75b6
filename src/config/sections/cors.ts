/** [cors]: Which pages may call the API from a browser. */
import { Type } from '@sinclair/typebox'
import { isOrigin } from '../address.ts'
import { list, table } from '../setting.ts'

export const cors = table({
  origins: list(Type.String({ accepts: (origin: string) => origin === '*' || isOrigin(origin) }), {
    description: 'Web origins whose pages may call the API from a browser. "*" is every origin; [] is none.',
    consequence: 'Pages of an origin that is not listed cannot read the answers.',
    expected: '"*" alone, or origins such as https://app.example.com (no path, no trailing slash)',
    default: ['*'],
    example: ['https://app.example.com'],
    accepts: (origins) => origins.length === 1 || !origins.includes('*'),
    maxItems: 100,
  }),
})
