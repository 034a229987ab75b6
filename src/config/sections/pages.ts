/** [pages]: The pages that people are sent to for verification and checkout. */
import { Type } from '@sinclair/typebox'
import { isOrigin } from '../address.ts'
import { list, table } from '../setting.ts'

export const pages = table({
  return_origins: list(Type.String({ accepts: isOrigin }), {
    description:
      'Web origins that the pages may send people back to (returnUrl, origin of a popup). [] is every https origin; the person sees where to, and confirms.',
    consequence: 'A link that names another site is refused.',
    expected: 'origins such as https://app.example.com (no path, no trailing slash)',
    default: [],
    example: ['https://app.example.com'],
    maxItems: 100,
  }),
})
