/** [docs]: The API reference and the guides. */
import { describeFlag, describeTable } from '../setting.ts'

export const docs = describeTable({
  enabled: describeFlag({
    description: 'Whether the API reference and the guides are served at /docs.',
    consequence: 'false takes the pages away, not the API.',
    default: true,
    example: true,
  }),
})
