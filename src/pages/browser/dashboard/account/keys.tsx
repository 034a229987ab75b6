import { Heading } from '../parts.tsx'

export const Keys = () => <Heading title="Access keys" />
