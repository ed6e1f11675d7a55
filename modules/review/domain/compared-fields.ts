/** Fields of the profile that documents are compared with: without them there is nothing to decide. */
const ofPerson = ['first_name', 'last_name', 'birth_date', 'nationality'] as const
const ofCompany = ['company_name', 'company_number', 'representative_first_name', 'representative_last_name'] as const

export function comparedFields(userType: 'natural' | 'legal'): readonly string[] {
  return userType === 'natural' ? ofPerson : [...ofPerson, ...ofCompany]
}

/** Whole years between two days, both `YYYY-MM-DD`; born on 29 February one ages on 1 March. null: born later. */
export function ageOn(day: string, birthDate: string): number | null {
  const years = Number(day.slice(0, 4)) - Number(birthDate.slice(0, 4)) - (day.slice(5) < birthDate.slice(5) ? 1 : 0)
  return Number.isFinite(years) && years >= 0 ? years : null
}
