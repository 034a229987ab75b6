/** Small decorative icons beside the names of views: 20 by 20, in the color of the text. */
const drawings = {
  proofs: 'M10 2.5l6 2.2v4.6c0 3.9-2.5 6.7-6 8.2-3.5-1.5-6-4.3-6-8.2V4.7zM7 10l2.2 2.2L13.2 8',
  shared: 'M3 9.5v7h14v-7M10 12.5V3M6.5 6L10 2.8 13.5 6',
  gates: 'M3.5 17.5v-11l6.5-4 6.5 4v11M7 17.5v-6.5h6v6.5M2 17.5h16',
  payments: 'M2.5 5h15v10.5h-15zM2.5 8.5h15M5.5 12.5h3',
  keys: 'M12.5 11.5a4 4 0 1 0-3.8-2.8L3 14.4V17h2.6l.9-1.5h1.7v-1.7h1.6l1-1.1M13.4 6.6h.1',
  apps: 'M3 3h5.5v5.5H3zM11.5 3H17v5.5h-5.5zM3 11.5h5.5V17H3zM14.2 11.5V17M11.5 14.2H17',
  secrets: 'M4.5 9h11v8h-11zM6.5 9V6.2a3.5 3.5 0 0 1 7 0V9M10 12.2v1.8',
  wallets: 'M3 6.5A2 2 0 0 1 5 4.5h9.5v3M3 6.5v8.5a1.5 1.5 0 0 0 1.5 1.5h12.5V7.5H4.5A1.5 1.5 0 0 1 3 6M13.5 12h.1',
  sessions: 'M2.5 3.5h15v10h-15zM7 17h6M10 13.5V17',
  health: 'M2 10.5h3.5l2-5.5 4 10 2.3-6 1 1.5H18',
  limits: 'M3 14.5a7 7 0 1 1 14 0M10 14.5l3.2-4.7M3 14.5h1.5M15.5 14.5H17M10 7.5V9',
  catalog: 'M4 4h12M4 8h12M4 12h7M4 16h7M14 12.8l1.5 1.5 2.7-3',
  audit: 'M5 2.5h7l3.5 3.5v11.5H5zM12 2.5V6h3.5M7.5 10h5M7.5 13.5h5',
  numbers: 'M3 17.5h14M5 17v-5M9 17V6.5M13 17v-8M17 17V3.5',
} as const

export type IconName = keyof typeof drawings

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
    <path d={drawings[name]} />
  </svg>
)
