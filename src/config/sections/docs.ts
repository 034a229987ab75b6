/** [docs]: The API reference page. */
import { flag, table } from '../setting.ts'

export const docs = table({
  enabled: flag({
    description: 'Whether the API reference page is served at /docs.',
    consequence: 'false takes the page away, not the API.',
    default: true,
    example: true,
  }),
})
