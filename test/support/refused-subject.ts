/** A ticket's subject that only the database of the tests refuses, by a constraint that global setup adds. */
export const REFUSED_SUBJECT = 'Refused by the database of the tests';
