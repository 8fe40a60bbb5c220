# The dashboard, the engine and Dask's scheduler and workers: one image, several commands.
FROM python:3.12-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE CHANGELOG.md requirements.txt app.py ./
COPY .streamlit .streamlit
COPY pages pages
COPY studio studio
COPY frem_core frem_core
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.12-slim
# PyTorch's CPU index: no gigabytes of GPU libraries.
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
COPY requirements.txt /tmp/
RUN grep '^torch==' /tmp/requirements.txt > /tmp/torch.txt \
    && pip install --no-cache-dir --index-url "$TORCH_INDEX" -r /tmp/torch.txt \
    && pip install --no-cache-dir -r /tmp/requirements.txt
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --no-deps /wheels/*.whl && rm -r /wheels \
    && useradd --create-home --uid 10001 frem && install -d -o frem /data
USER frem
WORKDIR /home/frem
ENV FREM_HOME=/data OMP_NUM_THREADS=1
VOLUME /data
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=40s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
# Inside a container all addresses are needed; who reaches the port is up to whoever publishes it.
CMD ["frem", "studio", "--address", "0.0.0.0"]
