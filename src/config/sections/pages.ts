/** [pages]: The pages that people are sent to for verification and checkout. */
import { Type } from '@sinclair/typebox'
import { isHandoverSite, isOrigin } from '../address.ts'
import { describeTable, list } from '../setting.ts'

export const pages = describeTable({
  return_origins: list(Type.String({ accepts: isOrigin }), {
    description:
      'Web origins that the pages may send people back to (returnUrl, origin of a popup). [] is every https origin; the person sees where to, and confirms.',
    consequence: 'A link that names another site is refused.',
    expected: 'origins such as https://app.example.com (no path, no trailing slash)',
    default: [],
    example: ['https://app.example.com'],
    maxItems: 100,
  }),
  handover_sites: list(Type.String({ accepts: isHandoverSite }), {
    description:
      'Sites whose server may learn who a person is: an origin for all its pages and its popups, or one address with its path, which returnUrl must be exactly. Each person is asked.',
    consequence:
      'A site that is not listed gets no code. An origin is safe only where none of its pages sends visitors on to places that a link names.',
    expected:
      'origins such as https://app.example.com, or addresses such as https://app.example.com/signed-in; http on loopback, whose port is left out',
    default: [],
    example: ['https://app.example.com'],
    maxItems: 100,
  }),
})
