/** [docs]: The API reference page. */
import { describeFlag, describeTable } from '../setting.ts'

export const docs = describeTable({
  enabled: describeFlag({
    description: 'Whether the API reference page is served at /docs.',
    consequence: 'false takes the page away, not the API.',
    default: true,
    example: true,
  }),
})
