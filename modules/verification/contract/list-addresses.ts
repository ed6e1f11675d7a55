/** Where the trusted lists are read in the form that the verifier uses. */
export const compactListsAddress = '/verifier/trusted_lists/compact/'
