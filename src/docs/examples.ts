import type {} from './clean.ts'
export const examples: Readonly<Record<string, { readonly request?: object; readonly response?: object }>> = {}
export const parameterExamples: Readonly<Record<string, string>> = {}
