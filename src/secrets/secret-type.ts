export const secretTypes = ['single', 'bundle'] as const

export type SecretType = (typeof secretTypes)[number]
