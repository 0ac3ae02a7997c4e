/** The sentence for a value of the profile that differs from what the target shows, while nothing decides between them. */
export const unclearValueSentence = (key: string, difference: string, remedy: string): string =>
  `${difference}. Either "${key}" in the profile is wrong or the service is, and no other response decides: ${remedy}; if you have verified the value, run with --trust ${key}, and the difference counts against the service`;
