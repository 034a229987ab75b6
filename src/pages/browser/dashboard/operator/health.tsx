import { Heading } from '../parts.tsx'

export const Health = () => <Heading title="Health" />
