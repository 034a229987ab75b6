/** [apps.<id>]: the apps that make proofs. An app sends its name as X-<Brand>-App. */
import { Type } from '@sinclair/typebox'
import { isOrigin } from '../address.ts'
import { describeTable, describeTables, list } from '../setting.ts'

const app = describeTable({
  origins: list(Type.String({ accepts: isOrigin }), {
    description: 'Web origins of the pages that may ask for sponsor grants of this app, and use them. [] is none.',
    consequence: 'Requests of other pages, and of programs that name no page, get no sponsor grant of this app.',
    expected: 'origins such as https://app.example.com (no path, no trailing slash)',
    example: ['https://shop.example.com'],
    maxItems: 100,
  }),
})

export const apps = describeTables('^(?!none$)[\\x21-\\x7e]{1,128}$', app, {
  description: 'Apps that proofs are made through, each under its id. One that is not here may come from every page.',
  consequence: 'It binds browsers alone: a program can name any page.',
  expected: 'the id of an app: 1 to 128 visible ASCII characters without spaces, and not none',
  example: { shop: { origins: ['https://shop.example.com'] } },
})
