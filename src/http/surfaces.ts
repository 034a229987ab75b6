/** The parts of the server that are timed, each with its label for operators. A route names its own (route.ts). */
export const surfaces = {
  prepare: 'Prepare a claim',
  create: 'Make a proof',
  proofs: 'Read proofs',
  checks: 'Gate checks',
  gates: 'Gates',
  fulfill: 'Fulfill',
  payments: 'Payments',
  sessions: 'Sign-in and account',
  oauth: 'OAuth',
  mcp: 'MCP',
  pages: 'Pages',
} as const

export type Surface = keyof typeof surfaces
