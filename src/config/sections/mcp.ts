/** [mcp]: The endpoint for AI assistants. */
import { Type } from '@sinclair/typebox'
import { isOrigin } from '../address.ts'
import { describeFlag, describeTable, list } from '../setting.ts'

export const mcp = describeTable({
  enabled: describeFlag({
    description: 'Whether there is an MCP endpoint at {mcp_url}/mcp.',
    consequence: 'false also takes its metadata away; signing in and access keys stay.',
    default: true,
    example: true,
  }),
  allowed_origins: list(Type.String({ accepts: isOrigin }), {
    description: 'Web origins whose pages may call the MCP endpoint, besides our own and those of loopback.',
    consequence: 'Pages of other origins get 403.',
    expected: 'origins such as https://app.example.com (no path, no trailing slash)',
    default: [],
    example: ['https://inspector.example.com'],
    maxItems: 100,
  }),
  advertise_offline_access: describeFlag({
    description: 'Whether the metadata of the MCP endpoint lists offline_access.',
    consequence: 'false makes clients that ask only for what is listed sign in again every hour.',
    default: true,
    example: true,
  }),
})
