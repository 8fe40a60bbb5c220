"""A first fair model: crime rates predicted without following the share of Black residents."""

from sklearn.model_selection import train_test_split

from frem_core import FREMRegressor
from frem_core.datasets import fetch_crime

crime = fetch_crime()
X, X_test, y, y_test, s, s_test = train_test_split(
    crime.data, crime.target, crime.sensitive_features, test_size=0.2, random_state=0
)
for weight in (0.0, 0.3):
    model = FREMRegressor(fairness_weight=weight, epochs=20, batch_size=200, random_state=0)
    model.fit(X, y, sensitive_features=s)
    scores = model.score_fairness(X_test, y_test, s_test)
    print(
        f"fairness weight {weight}: R² {model.score(X_test, y_test):.2f}, HGR {scores['hgr']:.2f}"
    )
